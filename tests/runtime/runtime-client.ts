import path from 'node:path'

/** The client is not a dependency of the repository, because its build would take too long in every installation. */
export const RUNTIME_CLIENT_FOLDER = path.resolve(import.meta.dirname, '../../.local/runtime-client')

/** The program that Lambda starts. The program loads the function and requests invocations. */
export const RUNTIME_CLIENT = path.join(RUNTIME_CLIENT_FOLDER, 'node_modules/aws-lambda-ric/index.mjs')
