// Renders templates as HTML that is safe by default: every value in a template is escaped unless it already is Html.
// Must not depend on any page.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** The values a template accepts. `true` is excluded on purpose: write a condition as `condition && html…`. */
export type Child = Html | string | number | false | null | undefined | readonly Child[]

export function html(strings: TemplateStringsArray, ...children: Child[]): Html {
  let text = strings[0] ?? ''
  for (const [index, child] of children.entries()) {
    text += render(child) + (strings[index + 1] ?? '')
  }
  return new Html(text)
}

/** Inserts text without escaping it. Only for text written by this project, never for data. */
export function raw(trusted: string): Html {
  return new Html(trusted)
}

function render(child: Child): string {
  if (child === null || child === undefined || child === false) return ''
  if (child instanceof Html) return child.text
  if (typeof child === 'object') return child.map(render).join('')
  return String(child).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

// Both quotes are escaped, so a value is as safe inside a quoted attribute as it is between tags.
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
