import { portNamedTwice, wantedPorts } from '../../../infra/local/start/ports.ts'

const portsOf = (given: Parameters<typeof wantedPorts>[0]) => {
  const { dynamodbPort, lambdaPort } = wantedPorts(given)
  return [dynamodbPort, lambdaPort].map(({ port, isNamed }) => (isNamed ? `named ${port}` : port))
}

test.each([
  ['the usual ones beside the usual one', { port: 3000 }, [8000, 9000]],
  ['as far above another', { port: 4020 }, [9020, 10_020]],
  ['those that are named', { port: 3000, dynamodbPort: 1, lambdaPort: 2 }, ['named 1', 'named 2']],
  ['none that was named for another part', { port: 3000, lambdaPort: 8000 }, [0, 'named 8000']],
  ['none that the system gives to others', { port: 27_000 }, [32_000, 0]],
  ['none that there is not', { port: 65_000 }, [0, 0]],
])('the ports beside that of the API are %s', (_, given, ports) => {
  expect(portsOf(given)).toEqual(ports)
})

test.each([
  [{ port: 3000, dynamodbPort: 3000 }, '--port and --dynamodb-port are both 3000, but must differ'],
  [{ port: 3000, lambdaPort: 3000 }, '--port and --lambda-port are both 3000, but must differ'],
  [
    { port: 3000, dynamodbPort: 1, lambdaPort: 1 },
    '--dynamodb-port and --lambda-port are both 1, but must differ',
  ],
  [{ port: 3000 }, undefined],
  [{ port: 3000, dynamodbPort: 1, lambdaPort: 2 }, undefined],
])('of %j it is said: %s', (given, sentence) => {
  expect(portNamedTwice(given)).toBe(sentence)
})
