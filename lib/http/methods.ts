/** The methods of every path, as `Allow` lists them. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** Whether a method asks for what stands at a path, and not about the path. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'
