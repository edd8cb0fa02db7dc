import { CodeDeployClient } from '@aws-sdk/client-codedeploy'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { createVersionCheck } from '../lib/release/create-version-check.ts'
import { readQuestions } from '../lib/release/read-questions.ts'

export const handler = createVersionCheck({
  lambda: new LambdaClient(),
  codeDeploy: new CodeDeployClient(),
  questions: readQuestions(process.env),
  liveAlias: 'live',
  log: console.log,
})
