import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Context } from 'aws-lambda'
import { entryOf } from '../../deploy/bundle-function.ts'

export interface FunctionDefinition {
  name: string
  /** The handler's file and export, such as `functions/docs.handler`. */
  handler: string
  timeoutSeconds: number
  environment: Record<string, string>
}

type Handler = (event: object, context: Context) => Promise<unknown>

const require = createRequire(import.meta.url)

/**
 * Returns a function that runs the bundled functions of a folder in this process. A function and its environment are
 * loaded when its first event arrives. One instance handles all concurrent events, whereas AWS Lambda would start an
 * instance for each. If an invoked function fails or exceeds its time limit, the returned function logs the error and
 * rejects.
 */
export function localFunctions(definitions: Record<string, FunctionDefinition>, folder: string) {
  const loaded = new Map<string, Handler>()

  function handlerOf(key: string, { handler, environment }: FunctionDefinition): Handler {
    const known = loaded.get(key)
    if (known) return known
    Object.assign(process.env, environment)
    const file = entryOf(handler)
    const found: Handler = require(path.resolve(folder, `${file}.cjs`))[handler.slice(file.length + 1)]
    loaded.set(key, found)
    return found
  }

  return async (key: string, event: object): Promise<unknown> => {
    const definition = definitions[key]
    if (!definition) throw new Error(`There is no function ${key}`)
    try {
      return await limitTime(definition, context => handlerOf(key, definition)(event, context))
    } catch (error) {
      console.error(error)
      throw error
    }
  }
}

async function limitTime<Value>(
  { name, timeoutSeconds }: FunctionDefinition,
  run: (context: Context) => Promise<Value>,
): Promise<Value> {
  const deadline = performance.now() + timeoutSeconds * 1000
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const fail = () => reject(new Error(`Task timed out after ${timeoutSeconds.toFixed(2)} seconds`))
  const timer = setTimeout(fail, timeoutSeconds * 1000)
  const context = {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
  } as Context
  try {
    return await Promise.race([run(context), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
