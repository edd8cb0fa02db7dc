import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { LambdaClientConfig } from '@aws-sdk/client-lambda'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { exitCodeOf, whenAskedToStop } from '../../lib/kit/stop-request.ts'
import type { Settings } from './read-settings.ts'
import type { Template } from './template.ts'

/**
 * The parts of the framework's object that the plugins use, declared here because the framework comes without types.
 */
export interface Serverless {
  /** The folder of serverless.yml. */
  serviceDir: string
  /** The content of serverless.yml, whose variables the framework resolves after creating the plugins. */
  service: {
    service: string
    functions: Record<string, FunctionEntry>
    getFunction(name: string): FunctionEntry
    provider: {
      compiledCloudFormationTemplate: Template
      stackTags: Record<string, string>
      shouldNotDeploy?: boolean
      timeout?: number
      environment?: Record<string, unknown>
      httpApi?: { authorizers?: Record<string, { type: string; issuerUrl: string; audience: string[] }> }
    }
  }
  configurationInput: {
    params: Settings
    custom: { trafficShift: string; tables: { used: string; other: string } }
  }
  /** The command: `['deploy', 'list']` for `serverless deploy list`. */
  processedInput: { commands: string[] }
  getProvider(name: 'aws'): Provider
  /** The framework prints errors of this class without their stack traces. */
  classes: { Error: new (message: string, code: string) => Error }
}

export interface FunctionEntry {
  /** The name in AWS Lambda. */
  name: string
  /** The file and its export, such as `functions/docs.handler`. */
  handler: string
  timeout?: number
  environment?: Record<string, unknown>
  events?: { httpApi?: HttpApiEvent }[]
  package?: { patterns?: string[]; artifact?: string }
  targetAlias?: { name: string; logicalId: string }
  versionFunction?: boolean
  /** The name of the version's resource. The framework sets this name when it compiles the function. */
  versionLogicalId?: string
}

export type HttpApiEvent = string | { method?: string; path: string; authorizer?: { name?: string } | string }

interface Provider {
  getStage(): string
  /** Returns the configuration for the SDK's clients: region, credentials, retries. */
  getAwsSdkV3Config(): Promise<
    CloudFormationClientConfig & DynamoDBClientConfig & LambdaClientConfig & S3ClientConfig
  >
  getServerlessDeploymentBucketName(): Promise<string>
  getDeploymentPrefix(): string
  naming: { getStackName(): string; getCompiledTemplateS3Suffix(): string }
}

/** The third argument that the framework passes to each plugin. */
export interface Utilities {
  log: { notice(text: string): void }
}

export const FRAMEWORK = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

/** The folder of serverless.yml. The framework must run there, even if a command has changed to the user's folder. */
export const SERVICE_FOLDER = path.resolve(import.meta.dirname, '../..')

/** Runs a framework command, and forwards stop signals. If the command fails, sets the exit code, and returns false. */
export async function runFramework(parameters: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [FRAMEWORK, ...parameters], {
    cwd: SERVICE_FOLDER,
    stdio: 'inherit',
  })
  whenAskedToStop(signal => {
    process.exitCode = exitCodeOf(signal)
    child.kill(signal)
  })
  const [status] = await once(child, 'exit')
  if (status === 0) return true
  process.exitCode ??= status ?? 1
  return false
}
