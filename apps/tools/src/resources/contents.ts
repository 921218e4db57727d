import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { InvalidTaskIdError } from '@svc/protocol'
import { ToolError } from '../tool.ts'

/** A resource as JSON. Says that it is not there, or that the chain cannot be read, and nothing else of what went wrong. */
export async function contents(uri: URL, read: () => Promise<object>) {
  try {
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(await read()) }] }
  } catch (error) {
    if (error instanceof ToolError || error instanceof InvalidTaskIdError)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The chain cannot be read now.')
  }
}
