import { leaveOutWhatIsOff, type Template } from '../../infra/deploy/template.ts'

const equals = (one: string, other: string) => ({ 'Fn::Equals': [one, other] })
const NO_VALUE = { Ref: 'AWS::NoValue' }
const ONE = { Ref: 'One' }

const templateWith = (Properties: Record<string, unknown>): Template => ({
  Conditions: {
    ...{ On: equals('a', 'a'), Off: equals('a', ''), Not: { 'Fn::Not': [equals('a', '')] } },
    And: { 'Fn::And': [equals('a', 'a'), { Condition: 'Off' }] },
    Or: { 'Fn::Or': [equals('a', 'b'), { Condition: 'On' }] },
  },
  Resources: { One: { Type: 'AWS::SNS::Topic', Properties } },
})

const propertiesOf = (Properties: Record<string, unknown>) =>
  leaveOutWhatIsOff(templateWith(Properties)).Resources.One?.Properties

test.each([
  ['the branch that holds', { A: { 'Fn::If': ['On', 1, 2] } }, { A: 1 }],
  ['the other one', { A: { 'Fn::If': ['Off', 1, { B: [2] }] } }, { A: { B: [2] } }],
  ['what a negation selects', { A: { 'Fn::If': ['Not', 1, 2] } }, { A: 1 }],
  ['what a conjunction selects', { A: { 'Fn::If': ['And', 1, 2] } }, { A: 2 }],
  ['what a disjunction selects', { A: { 'Fn::If': ['Or', 1, 2] } }, { A: 1 }],
  ['a branch in a branch', { A: { 'Fn::If': ['On', { 'Fn::If': ['Off', 1, 2] }, 3] } }, { A: 2 }],
  ['no property without a value', { A: { 'Fn::If': ['Off', 1, NO_VALUE] }, B: 1 }, { B: 1 }],
  ['no element without a value', { A: [{ 'Fn::If': ['Off', 1, NO_VALUE] }, 2] }, { A: [2] }],
  ['other functions', { A: { 'Fn::Sub': 'x' }, B: ONE }, { A: { 'Fn::Sub': 'x' }, B: ONE }],
  ['what is null', { A: null }, { A: null }],
])('keeps %s', (_, properties, kept) => {
  expect(propertiesOf(properties)).toEqual(kept)
})

test('outputs and resources are left out, and nothing waits for what is left out', () => {
  const { Resources, Outputs } = leaveOutWhatIsOff({
    ...templateWith({}),
    Resources: {
      Off: { Type: 'AWS::SNS::Topic', Condition: 'Off' },
      On: { Type: 'AWS::SNS::Topic', Condition: 'On' },
      Both: { Type: 'AWS::SNS::Topic', DependsOn: ['On', 'Off'] },
      Alone: { Type: 'AWS::SNS::Topic', DependsOn: 'Off' },
    },
    Outputs: { Kept: { Condition: 'On', Value: 1 }, Left: { Condition: 'Off', Value: 1 } },
  })

  expect(Outputs).toEqual({ Kept: { Value: 1 } })
  expect(Resources).toEqual({
    On: { Type: 'AWS::SNS::Topic' },
    Both: { Type: 'AWS::SNS::Topic', DependsOn: ['On'] },
    Alone: { Type: 'AWS::SNS::Topic' },
  })
})

test.each([
  [{ 'Fn::Equals': [ONE, 'x'] }, /A condition must compare constants, but this one does not/],
  [{ Condition: 'Missing' }, /The template has no condition Missing/],
])('says that %j cannot be worked out', (Asked, problem) => {
  const Resources = { One: { Type: 'AWS::SNS::Topic', Condition: 'Asked' } }
  expect(() => leaveOutWhatIsOff({ Conditions: { Asked }, Resources })).toThrow(problem)
})
