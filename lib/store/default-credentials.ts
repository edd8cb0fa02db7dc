import { fromEnv } from '@aws-sdk/credential-provider-env'
import type { defaultProvider as allSources } from '@aws-sdk/credential-provider-node'

type Provider = ReturnType<typeof allSources>

/**
 * Stands in the functions' bundles for the SDK's chain of credential sources. Lambda gives credentials in
 * the environment; all other sources (profiles, single sign-on and the like) are a third of what a function
 * would load, and stand in a file of their own for those who run the functions elsewhere.
 */
export function defaultProvider(...init: Parameters<typeof allSources>): Provider {
  let provider: Promise<Provider> | undefined
  return async properties => {
    provider ??= hasOwnCredentials()
      ? fromEnv(...init)().then(given => async () => given)
      : import('./all-credentials.ts').then(({ defaultProvider: all }) => all(...init))
    return (await provider)(properties)
  }
}

/** In the order of the SDK's chain, in which a profile comes first. */
const hasOwnCredentials = () =>
  !process.env.AWS_PROFILE && process.env.AWS_ACCESS_KEY_ID && process.env.AWS_SECRET_ACCESS_KEY
