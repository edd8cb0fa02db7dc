import { types } from 'node:util'

/**
 * Jest gives every test file globals of its own, to which an error that Node.js throws is no `Error`. The
 * AWS SDK then wraps it and loses its code. Lets this file's `instanceof Error` know such errors as well.
 */
export function knowNodeErrors() {
  const usual = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown) {
      return usual.call(this as typeof Error, candidate) || (this === Error && types.isNativeError(candidate))
    },
  })
}
