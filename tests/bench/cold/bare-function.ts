import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

const client = new DynamoDBClient({})

/** The least that could answer: one Query, whose items are returned as they come. */
export async function handler({ pathParameters, queryStringParameters }: APIGatewayProxyEventV2) {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: process.env.PLAIN_TABLE,
      IndexName: 'byUser',
      KeyConditionExpression: 'userList = :list',
      ExpressionAttributeValues: { ':list': { S: `user#${pathParameters?.address}` } },
      ScanIndexForward: false,
      Limit: Number(queryStringParameters?.limit),
    }),
  )
  return { statusCode: 200, body: JSON.stringify(Items) }
}
