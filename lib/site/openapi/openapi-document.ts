import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DOCS_FILES } from '../look/page-files.ts'

/** The parts of the OpenAPI document that commands read. */
export interface OpenApiDocument {
  info: { title: string; version: string; summary: string; description: string }
  /** The operations by path. Every operation is a GET. */
  paths: Record<string, { get: Operation }>
  components: { schemas: Record<string, ObjectSchema> }
}

export interface Operation {
  summary: string
  description: string
  parameters?: OperationParameter[]
  responses: { 200: { headers: Record<string, unknown> } }
}

export interface OperationParameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description: string
  schema: ValueSchema
}

export interface ValueSchema {
  type?: string
  enum?: string[]
  items?: ValueSchema
  /** The two schemas of a parameter that accepts either one value or a list of values. */
  anyOf?: ValueSchema[]
  examples?: unknown[]
}

interface ObjectSchema {
  description: string
  properties?: Record<string, { enum?: string[]; const?: string }>
}

const REPOSITORY = path.join(import.meta.dirname, '../../..')

/** Reads the OpenAPI document that `npm run openapi` has written. */
export const readOpenApiDocument = (): OpenApiDocument =>
  JSON.parse(readFileSync(path.join(REPOSITORY, DOCS_FILES['openapi.json']), 'utf8'))
