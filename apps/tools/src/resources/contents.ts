import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { InvalidTaskIdError } from '@svc/protocol'
import { ToolError } from '../tool.ts'

/** Reads a resource as JSON. An error says only that it does not exist or that the chain cannot be read. */
export async function readContents(uri: URL, read: () => Promise<object>) {
  try {
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(await read()) }] }
  } catch (error) {
    if (error instanceof ToolError || error instanceof InvalidTaskIdError)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The chain cannot be read right now.')
  }
}
