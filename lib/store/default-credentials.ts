import { fromEnv } from '@aws-sdk/credential-provider-env'
import type { defaultProvider as allSources } from '@aws-sdk/credential-provider-node'

type Provider = ReturnType<typeof allSources>

/**
 * Replaces the SDK's chain of credential sources in the functions' bundles. Lambda provides credentials in environment
 * variables. The other sources, such as profiles and single sign-on, would make up a third of the code that a function
 * loads, so they are in a separate file, which is loaded only outside Lambda.
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

/** Whether the environment contains credentials and no profile, because a profile takes precedence, as in the SDK. */
const hasOwnCredentials = () =>
  !process.env.AWS_PROFILE && process.env.AWS_ACCESS_KEY_ID && process.env.AWS_SECRET_ACCESS_KEY
