const PREFIX = 'com.amazonaws.dynamodb.v20120810#'

export class DynamoError extends Error {
  override readonly name = 'DynamoError'
  readonly __type: string
  readonly status: number

  constructor(type: string, message: string, status = 400) {
    super(message)
    this.__type = type.includes('#') ? type : `${PREFIX}${type}`
    this.status = status
  }
}

/**
 * Errors that are not caused by the request, so the request can be repeated.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const REFUSALS = {
  ProvisionedThroughputExceededException: 400,
  ThrottlingException: 400,
  InternalServerError: 500,
  ServiceUnavailable: 503,
}

export const REFUSAL_TYPES = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]

export const refusal = (type: keyof typeof REFUSALS) => new DynamoError(type, 'Refused', REFUSALS[type])
