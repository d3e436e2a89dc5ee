// The type of an OpenAPI parameter, and its name among the components.

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: object
  readonly [key: string]: unknown
}

/** Colons are not allowed there. */
export function componentName({ name }: Pick<Parameter, 'name'>): string {
  return name.replaceAll(':', '.')
}
