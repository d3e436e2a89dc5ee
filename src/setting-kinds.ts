// Parses the texts of settings: each kind of setting has a label for the table and a parser.
import { isIP } from 'node:net'
import path from 'node:path'

/** `parse` throws a RangeError whose message completes "PORT …". */
export interface Kind<T> {
  readonly label: string
  readonly parse: (text: string) => T
}

export function text(label: string): Kind<string> {
  return { label, parse: (raw) => raw }
}

export function integer(min: number, max: number): Kind<number> {
  const label = `integer ${min}…${max}`
  return {
    label,
    parse: (raw) => {
      const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN
      if (!(value >= min && value <= max)) throw new RangeError(`must be an integer from ${min} to ${max}`)
      return value
    },
  }
}

/** `auto` stands for a value that depends on the machine. */
export function orAuto<T>({ label, parse }: Kind<T>, choose: () => T): Kind<T> {
  return { label: `auto or ${label}`, parse: (raw) => (raw === 'auto' ? choose() : parse(raw)) }
}

export function flag(): Kind<boolean> {
  const { label, parse } = choice('true', 'false')
  return { label, parse: (raw) => parse(raw) === 'true' }
}

export function choice<const T extends string>(...choices: T[]): Kind<T> {
  return {
    label: choices.join(' | '),
    parse: (raw) => {
      const found = choices.find((one) => one === raw)
      if (found === undefined) throw new RangeError(`must be one of ${choices.join(', ')}`)
      return found
    },
  }
}

export function url(...schemes: string[]): Kind<string> {
  const shape = schemes.map((scheme) => `${scheme}://`).join(' or ')
  return {
    label: `URL ${shape}`,
    parse: (raw) => {
      // The value is not repeated in the message: it may contain a password.
      const scheme = URL.parse(raw)?.protocol.slice(0, -1) ?? ''
      if (!schemes.includes(scheme)) throw new RangeError(`must be a URL that starts with ${shape}`)
      return raw.replace(/\/+$/, '')
    },
  }
}

/** A URL that may have several hosts, separated by commas, as those of databases do. */
export function hostsUrl(...schemes: string[]): Kind<string> {
  // Not at every start: the first list of a process takes 20 ms.
  const shape = () =>
    new Intl.ListFormat('en', { type: 'disjunction' }).format(schemes.map((one) => `${one}://`))
  return {
    get label() {
      return `URL ${shape()}`
    },
    parse: (raw) => {
      // The value is not repeated in the message: it may contain a password.
      if (!schemes.some((scheme) => raw.startsWith(`${scheme}://`) && raw.length > `${scheme}://`.length)) {
        throw new RangeError(`must be a URL that starts with ${shape()}`)
      }
      return raw.replace(/\/+$/, '')
    },
  }
}

/** The URL is put before paths and into headers, so it is stored in the ASCII form that browsers use. */
export function publicAddress(): Kind<string> {
  const { label, parse } = url('http', 'https')
  return {
    label,
    parse: (raw) => {
      const { origin, pathname, search, hash, username } = new URL(parse(raw))
      if (search + hash + username !== '') throw new RangeError('must have no user, query or fragment')
      if (/\/api\/v1$/.test(pathname)) throw new RangeError('must be without /api/v1')
      return origin + pathname.replace(/\/+$/, '')
    },
  }
}

/** A relative path starts at the current directory; the default is in the package, wherever the command is run. */
export function filePath(label: 'path' | 'file'): Kind<string> {
  return { label, parse: (raw) => path.resolve(raw) }
}

export function secret(minLength: number): Kind<string> {
  return {
    label: `text of at least ${minLength} characters`,
    parse: (raw) => {
      if (raw.length < minLength) throw new RangeError(`must have at least ${minLength} characters`)
      return raw
    },
  }
}

export function addresses(): Kind<string[]> {
  return {
    label: 'list of addresses',
    parse: (raw) => {
      const list = raw
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
      if (!list.every(isRange))
        throw new RangeError('must be IP addresses or CIDR ranges, separated by commas')
      return list
    },
  }
}

/** A day, which begins at 00:00 UTC, or a time on a day. */
export function moment(): Kind<Date> {
  return {
    label: 'date',
    parse: (raw) => {
      const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/
      const date = new Date(shape.test(raw) ? raw : Number.NaN)
      // Date would turn the 30th of February into a day of March.
      if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(raw.slice(0, 10))) {
        throw new RangeError('must be a day such as 2027-01-31, or 2027-01-31T12:00:00Z')
      }
      return date
    },
  }
}

/** `one=1,other=2`: an integer for some of the names. */
export function limitsByName<const Name extends string>(
  ...names: Name[]
): Kind<Readonly<Partial<Record<Name, number>>>> {
  return {
    label: 'name=number, …',
    parse: (raw) => {
      const limits: Partial<Record<Name, number>> = {}
      for (const pair of raw.split(',').filter((one) => one.trim() !== '')) {
        const [, found, value] = /^\s*(\w+)\s*=\s*(\d{1,15})\s*$/.exec(pair) ?? []
        const name = names.find((one) => one === found)
        if (name === undefined || name in limits) {
          throw new RangeError(`must be like ${names[0]}=100, each of ${names.join(', ')} at most once`)
        }
        limits[name] = Number(value)
      }
      return limits
    },
  }
}

function isRange(raw: string): boolean {
  const [address = '', bits, ...rest] = raw.split('/')
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    rest.length === 0 &&
    widest > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  )
}
