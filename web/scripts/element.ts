// Creates DOM elements with their properties and children, so that a script reads like the markup it builds.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<Omit<HTMLElementTagNameMap[Name], 'children'>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  Object.assign(made, properties)
  made.append(...children)
  return made
}
