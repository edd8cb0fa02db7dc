/** What Amazon API Gateway answers by itself, before the service is asked. */
export const THROTTLED = {
  status: 429,
  title: 'Too many requests',
  body: { message: 'Too Many Requests' },
  cause:
    'More requests came than the gateway lets through. It says so itself, before the service is asked: the body is another one, and Retry-After is not sent.',
  remedy: 'Wait a second before the same request is sent again, then longer each time.',
}
