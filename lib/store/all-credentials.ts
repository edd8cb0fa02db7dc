export { defaultProvider } from '@aws-sdk/credential-provider-node'
