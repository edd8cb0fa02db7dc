// serverless.yml loads this file. The file is JavaScript, because the framework's variables do not support TypeScript.
import { FUNCTION_ROLES } from './roles/function-roles.ts'
import { resourcesOf } from './roles/role.ts'

export const readRoles = () => ({ Resources: resourcesOf(FUNCTION_ROLES) })
