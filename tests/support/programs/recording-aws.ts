import { text } from 'node:stream/consumers'
import { listen } from '../http/listen.ts'

export interface AwsCall {
  /** The operation's name in the AWS documentation. */
  name: string
  input: Record<string, unknown>
}

export type AwsAnswer = object | { error: string; message?: string }

/** https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html */
const LAMBDA_OPERATIONS: [RegExp, string][] = [
  [/^GET \/2015-03-31\/functions\/([^/]+)\/aliases\/([^/]+)$/, 'GetAlias'],
  [/^PUT \/2015-03-31\/functions\/([^/]+)\/aliases\/([^/]+)$/, 'UpdateAlias'],
  [/^GET \/2015-03-31\/functions\/([^/]+)\/versions$/, 'ListVersionsByFunction'],
  [/^GET \/2015-03-31\/functions\/([^/]+)\/configuration$/, 'GetFunctionConfiguration'],
  [/^POST \/2015-03-31\/functions\/([^/]+)\/invocations$/, 'Invoke'],
]

/**
 * Records calls to CloudFormation, CodeDeploy, DynamoDB, Lambda, S3, SNS and STS, and sends the test's answers. An
 * operation without an answer fails.
 */
export async function startRecordingAws(answer: (call: AwsCall) => AwsAnswer | undefined) {
  const calls: AwsCall[] = []
  const listening = await listen(async (request, response) => {
    const call = readCall(request.method, request.url, {
      target: request.headers['x-amz-target'],
      body: await text(request),
    })
    calls.push(call)
    const given = answer(call) ?? { error: 'UnexpectedCall', message: `${call.name} has no answer` }
    const isXml = XML_OPERATIONS.has(call.name) || (call.name === 'GetObject' && 'error' in given)
    const { status, headers, content } = isXml ? xmlAnswer(call.name, given) : jsonAnswer(call.name, given)
    response.writeHead(status, { connection: 'close', ...headers }).end(content)
  })
  const config = {
    endpoint: listening.baseUrl,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  }
  return { ...listening, calls, config }
}

/**
 * The operations of CloudFormation, SNS and STS, whose answers are XML. S3 answers with an object, or with an error in
 * XML.
 */
const XML_OPERATIONS = new Set([
  ...['DescribeStacks', 'DescribeStackResource', 'GetTemplate'],
  ...['GetCallerIdentity', 'ListSubscriptionsByTopic', 'UpdateTerminationProtection'],
])

function readCall(
  method = '',
  url = '',
  { target, body }: { target: string | string[] | undefined; body: string },
): AwsCall {
  const { pathname, searchParams } = new URL(url, 'http://aws.invalid')
  const [, operation] = /\.(\w+)$/.exec(String(target)) ?? []
  if (operation) return { name: operation, input: JSON.parse(body) }
  const route = `${method} ${decodeURIComponent(pathname)}`
  for (const [pattern, name] of LAMBDA_OPERATIONS) {
    const [, FunctionName, Name] = pattern.exec(route) ?? []
    if (FunctionName === undefined) continue
    const input = {
      FunctionName,
      ...(Name && { Name }),
      ...Object.fromEntries(searchParams),
      ...(body && (JSON.parse(body) as object)),
    }
    return { name, input }
  }
  const otherwise = method === 'GET' ? 'GetObject' : route
  const { Action = otherwise, ...input } = Object.fromEntries(new URLSearchParams(body))
  return { name: Action, input }
}

function jsonAnswer(name: string, given: AwsAnswer) {
  if ('error' in given) {
    const { error, message } = given
    const content = JSON.stringify({ __type: error, message })
    return { status: 400, headers: { 'x-amzn-errortype': error }, content }
  }
  const isFailed = name === 'Invoke' && 'errorType' in given
  const headers = isFailed ? { 'x-amz-function-error': 'Unhandled' } : {}
  return { status: 200, headers, content: JSON.stringify(given) }
}

function xmlAnswer(name: string, given: AwsAnswer) {
  if ('error' in given) {
    const { error, message } = given
    const content = `<ErrorResponse><Error><Type>Sender</Type><Code>${error}</Code><Message>${message}</Message></Error></ErrorResponse>`
    return { status: 400, headers: {}, content }
  }
  return {
    status: 200,
    headers: {},
    content: `<${name}Response><${name}Result>${xmlOf(given)}</${name}Result></${name}Response>`,
  }
}

function xmlOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(each => `<member>${xmlOf(each)}</member>`).join('')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `<${name}>${xmlOf(each)}</${name}>`)
      .join('')
  }
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
