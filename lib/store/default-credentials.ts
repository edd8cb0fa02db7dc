import { fromEnv } from '@aws-sdk/credential-provider-env'
import type { defaultProvider as allSources } from '@aws-sdk/credential-provider-node'

type Provider = ReturnType<typeof allSources>

/**
 * In the functions' bundles, replaces the SDK's chain of credential sources. Lambda provides credentials in environment
 * variables. The other sources (profiles, single sign-on and more) would be a third of the code that a function loads,
 * so they are in a separate file, which is loaded only outside Lambda.
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

/**
 * Whether the environment variables have credentials and no profile, which would take precedence as in the SDK's chain.
 */
const hasOwnCredentials = () =>
  !process.env.AWS_PROFILE && process.env.AWS_ACCESS_KEY_ID && process.env.AWS_SECRET_ACCESS_KEY
