/** The CloudWatch namespace of all metrics, to which the alarms and the dashboard refer. */
export const METRICS_NAMESPACE = 'BlockchainEvents'
