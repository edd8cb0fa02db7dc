import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The part of serverless-offline that answers the Lambda Invoke API. */
const CONTROLLER = './lambda/routes/invocations/InvocationsController.js'

interface Invocation {
  UnhandledError?: boolean
  Payload?: { errorType?: string; trace?: string[] }
}

interface Controller {
  invoke(...parameters: unknown[]): Promise<Invocation>
}

const ERROR_NAME = /^(\w+):/

/**
 * Makes invocations that fail tell the error's name, as they do in AWS: serverless-offline calls every
 * error `Error`, although the first line of the trace has the name.
 */
export async function nameInvocationErrors(): Promise<void> {
  const offline = pathToFileURL(createRequire(import.meta.url).resolve('serverless-offline'))
  const { default: controller } = (await import(new URL(CONTROLLER, offline).href)) as {
    default: { prototype: Controller }
  }
  const { invoke } = controller.prototype
  controller.prototype.invoke = async function (...parameters) {
    const invocation = await invoke.apply(this, parameters)
    const { UnhandledError, Payload } = invocation
    const name = ERROR_NAME.exec(Payload?.trace?.[0] ?? '')?.[1]
    if (UnhandledError && Payload && name) Payload.errorType = name
    return invocation
  }
}
