import { types } from 'node:util'

/**
 * Makes `instanceof Error` true for errors from Node.js in the current test file. Jest gives every test file its own
 * globals, so errors from Node.js are not instances of the file's `Error`. Without this function, the AWS SDK would
 * wrap such an error and lose its code.
 */
export function knowNodeErrors() {
  const usual = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown) {
      return usual.call(this as typeof Error, candidate) || (this === Error && types.isNativeError(candidate))
    },
  })
}
