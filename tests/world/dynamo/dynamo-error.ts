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
  ProvisionedThroughputExceededException: {
    status: 400,
    message:
      'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  },
  ThrottlingException: { status: 400, message: 'Rate of requests exceeds the allowed throughput.' },
  InternalServerError: { status: 500, message: 'Internal server error' },
  ServiceUnavailable: { status: 503, message: 'Service unavailable' },
} as const

type Refusal = keyof typeof REFUSALS

export const refusal = (type: Refusal): DynamoError => {
  const { status, message } = REFUSALS[type]
  return new DynamoError(type, message, status)
}
