// Formats a line of CSV as in RFC 4180: commas, CRLF, and quotation marks only where they are needed.

const special = /[",\r\n]/

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string): string {
  return cell !== '' && special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
