/**
 * Saves bytes as a file of the visitor. The type is always that of plain bytes: the browser then saves them, and never opens
 * them as a page of this site. Names were checked when the bundle was opened.
 */
export function saveFile(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  // Folders stay out of the name of a download.
  link.download = name.split('/').at(-1) ?? name
  link.click()
  URL.revokeObjectURL(url)
}
