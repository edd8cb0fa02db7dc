import path from 'node:path'

/** Beside the repository's own packages, of which it is none: its build is too long for every installation. */
export const RUNTIME_CLIENT_FOLDER = path.resolve(import.meta.dirname, '../../.local/runtime-client')

/** What Lambda starts: it loads the function and asks for its invocations. */
export const RUNTIME_CLIENT = path.join(RUNTIME_CLIENT_FOLDER, 'node_modules/aws-lambda-ric/index.mjs')
