import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}))

/** A handler as it is usually written: it makes one Query with the document client, and calls `JSON.stringify`. */
export async function handler({ pathParameters, queryStringParameters }: APIGatewayProxyEventV2) {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: process.env.PLAIN_TABLE,
      IndexName: 'byUser',
      KeyConditionExpression: 'userList = :list',
      ExpressionAttributeValues: { ':list': `user#${pathParameters?.address}` },
      ScanIndexForward: false,
      Limit: Number(queryStringParameters?.limit),
    }),
  )
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Items) }
}
