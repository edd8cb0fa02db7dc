import type * as z from 'zod/mini'
import type { ZodOpenApiOverride } from 'zod-openapi/api'
import type { WholeNumberBounds } from '../../query/value-schemas.ts'

/** Describes a number in a query as an integer with its bounds. Its schema in the service describes a text. */
export const describeWholeNumbers: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  const bounds = boundsOf(zodSchema)
  if (!bounds) return
  Object.assign(jsonSchema, {
    type: 'integer',
    minimum: bounds.min,
    ...(bounds.max !== undefined && { maximum: bounds.max }),
  })
}

function boundsOf(schema: z.core.$ZodTypes): WholeNumberBounds | undefined {
  const { def } = schema._zod
  if (def.type === 'pipe') return boundsOf(def.in as z.core.$ZodTypes)
  if (def.type === 'optional') return boundsOf(def.innerType as z.core.$ZodTypes)
  if (def.type !== 'string') return undefined
  const checks = (def.checks ?? []).map(check => check._zod.def as Partial<z.core.$ZodCustomDef>)
  return checks.find(({ params }) => params && 'min' in params)?.params as WholeNumberBounds | undefined
}
