import { leaveOutWhatIsOff, type Template } from './template.ts'

interface Serverless {
  service: { provider: { compiledCloudFormationTemplate: Template } }
}

/**
 * A plugin of the framework. Resolves the template's conditions, so that the template shows exactly what CloudFormation
 * will create. Omits the properties of unset settings, because an empty value would be invalid.
 */
export default function leaveOutOfTemplate({ service }: Serverless) {
  return {
    hooks: {
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        service.provider.compiledCloudFormationTemplate = leaveOutWhatIsOff(
          service.provider.compiledCloudFormationTemplate,
        )
      },
    },
  }
}
