// What serverless.yml loads: the framework's variables know JavaScript, not TypeScript.
import { findRegion } from './find-region.ts'

export { readSettings } from './read-settings.ts'

export const region = async ({ options }) => (await findRegion(options['aws-profile'])) ?? null
