/** A name such as `List`, or a name with the types of its children. */
export type RequestType = string | { type: string; children?: RequestType | Record<string, RequestType> }

const ATTRIBUTE_VALUES: Record<string, (value: unknown) => boolean> = {
  S: isString,
  N: isString,
  B: isBase64,
  BOOL: value => typeof value === 'boolean',
  NULL: value => value === true,
  SS: value => isListOf(value, isString),
  NS: value => isListOf(value, isString),
  BS: value => isListOf(value, isBase64),
  L: value => isListOf(value, isAttributeValue),
  M: value => isMapOf(value, isAttributeValue),
}

/**
 * Dynalite's own check takes most of a call's time, so it runs only for a value that this function rejects. It then
 * throws the right error, or accepts a value that is valid after all.
 */
export function hasType(value: unknown, rule: RequestType): boolean {
  const { type, children = {} } = typeof rule === 'string' ? { type: rule } : rule
  const [name] = type.split('<', 1)
  const isChild = (child: unknown) => hasType(child, children as RequestType)
  switch (name) {
    case 'AttrStruct':
      return isAttributeValue(value)
    case 'String':
      return isString(value)
    case 'Boolean':
      return typeof value === 'boolean'
    case 'Integer':
    case 'Long':
      return Number.isSafeInteger(value)
    case 'List':
    case 'ParameterizedList':
      return isListOf(value, isChild)
    case 'Map':
    case 'ParameterizedMap':
      return isMapOf(value, isChild)
    case 'ValueStruct':
    case 'FieldStruct':
      return isMapOf(value, (child, key) => {
        const of = (children as Record<string, RequestType>)[key]
        return of !== undefined && hasType(child, of)
      })
    default:
      return false
  }
}

function isAttributeValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [[type, content] = ['', undefined], ...others] = Object.entries(value)
  return others.length === 0 && ATTRIBUTE_VALUES[type]?.(content) === true
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(member => isMember(member))
}

function isMapOf(value: unknown, isMember: (member: unknown, key: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([key, member]) => isMember(member, key))
}
