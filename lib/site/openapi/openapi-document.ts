import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DOCS_FILES } from '../look/page-files.ts'

/** The parts of the OpenAPI document that other code reads (https://spec.openapis.org/oas/v3.1.1.html). */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: { name: string } }
  tags: { name: string; description: string }[]
  /** Each path has only a GET operation. */
  paths: Record<string, { get: Operation }>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, { description: string; required?: boolean; schema: Schema }>
    responses: Record<string, Response>
  }
}

export interface Reference {
  $ref: string
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  responses: Record<string, Response | Reference> & { 200: Response }
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description: string
  example?: unknown
  schema: Schema
}

export interface Response {
  description: string
  /** References, because the document lists every header among its components. */
  headers?: Record<string, Reference>
  content?: Record<string, MediaType>
}

export interface MediaType {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  format?: string
  pattern?: string
  enum?: (string | number)[]
  const?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  examples?: unknown[]
}

export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1)

export const isReference = (value: object): value is Reference => '$ref' in value

const REPOSITORY = path.join(import.meta.dirname, '../../..')

/** Reads the document that `npm run openapi` has written. */
export const readOpenApiDocument = (): OpenApiDocument =>
  JSON.parse(readFileSync(path.join(REPOSITORY, DOCS_FILES['openapi.json']), 'utf8'))

type WithExample = Pick<Parameter, 'description' | 'example' | 'schema'>

/** Returns a list, because the example of a parameter that takes a list can contain several values. */
export const examplesOf = ({ example, schema: { examples: [first] = [] } }: WithExample): string[] =>
  [example ?? first ?? []].flat().map(String)

export const exampleSentence = (parameter: WithExample): string =>
  `Example: ${examplesOf(parameter)
    .map(value => `\`${value}\``)
    .join(' and ')}.`

/** Appends the example to the parameter's description, because most OpenAPI viewers show examples nowhere else. */
export function tellExample(parameter: WithExample): void {
  if (parameter.schema.examples?.[0] === undefined) return
  parameter.description = `${parameter.description} ${exampleSentence(parameter)}`
}
