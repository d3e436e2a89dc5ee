// In charge of the form of CSV: commas, CRLF, and quotation marks where RFC 4180 wants them.

const special = /[",\r\n]/

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string): string {
  return cell !== '' && special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
