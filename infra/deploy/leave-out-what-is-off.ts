import { leaveOutWhatIsOff, type Template } from './template.ts'

interface Serverless {
  service: { provider: { compiledCloudFormationTemplate: Template } }
}

/**
 * A plugin of the framework: the template holds what a stage has, and no conditions. So whoever reads or checks it
 * sees what CloudFormation will make, and a value that is not set never stands where it would be wrong.
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
