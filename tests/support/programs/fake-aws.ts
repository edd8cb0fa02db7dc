import { text } from 'node:stream/consumers'
import { type Listening, listen } from '../http/listen.ts'

/** By the name of the call: a stack's template, the body of a DynamoDB response, or an object in S3. */
export type Answers = Record<string, object | undefined>

export interface FakeAws extends Listening {
  calls: string[]
}

/**
 * Answers the calls to CloudFormation, DynamoDB and S3 that a deployment makes before its first change. No local engine
 * supports these calls. A call without a given answer gets "not found".
 */
export async function startFakeAws(answers: Answers): Promise<FakeAws> {
  const calls: string[] = []
  const listening = await listen(async (request, response) => {
    const [, operation] = /\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? []
    const name = operation ?? new URLSearchParams(await text(request)).get('Action') ?? 'GetObject'
    calls.push(name)
    const { status, content } = answerTo(name, answers[name])
    response.writeHead(status, { connection: 'close' }).end(content)
  })
  return { ...listening, calls }
}

function answerTo(name: string, answer: object | undefined) {
  if (name === 'GetObject') return s3Answer(answer)
  return /^(Describe(Table|ContinuousBackups|TimeToLive)|ListTagsOfResource)$/.test(name)
    ? dynamoDbAnswer(answer)
    : cloudFormationAnswer(name, answer)
}

function s3Answer(answer: object | undefined) {
  return answer
    ? { status: 200, content: JSON.stringify(answer) }
    : { status: 404, content: '<Error><Code>NoSuchKey</Code><Message>None</Message></Error>' }
}

function dynamoDbAnswer(answer: object | undefined) {
  if (answer) return { status: 200, content: JSON.stringify(answer) }
  const __type = 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException'
  return { status: 400, content: JSON.stringify({ __type, message: 'Requested resource not found' }) }
}

function cloudFormationAnswer(name: string, answer: object | undefined) {
  if (!answer) {
    const error =
      '<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id x does not exist</Message>'
    return { status: 400, content: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` }
  }
  const template = JSON.stringify(answer).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const result = `<${name}Result><TemplateBody>${template}</TemplateBody></${name}Result>`
  return { status: 200, content: `<${name}Response>${result}</${name}Response>` }
}
