/** Formats a size, like "1.2 MB". */
export function formatBytes(size: number): string {
  const unit = size < 1e3 ? 'byte' : size < 1e6 ? 'kilobyte' : 'megabyte'
  const count = size / { byte: 1, kilobyte: 1e3, megabyte: 1e6 }[unit]
  // The short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(navigator.language, options).format(count)
}
