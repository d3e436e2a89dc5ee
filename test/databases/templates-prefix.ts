// In charge of what the databases of a run to be copied are called on PostgreSQL, whose server may outlive the run.
import { basename } from 'node:path'

export function templatesPrefix(directory: string): string {
  return `template_${basename(directory).toLowerCase().replace(/\W/g, '_')}_`
}
