// Builds the name prefix of a run's template databases on PostgreSQL, whose server may outlive the run.
import { basename } from 'node:path'

export function templatesPrefix(directory: string): string {
  return `template_${basename(directory).toLowerCase().replace(/\W/g, '_')}_`
}
