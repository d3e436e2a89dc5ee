// The keys and values of random catalogues: values that clash in every way the vocabulary knows, and values that break
// careless code.

const longestKey = 'k'.repeat(128)

export const tameKeys: readonly string[] = [
  'dial_color',
  'movement_type',
  'water_resistance',
  'case_diameter',
  'functions',
  'jewels',
]
export const hostileKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  longestKey,
  'power_reserve',
  'brand',
  'collection',
  'specs.x',
  'x',
  '12',
  '7',
  'a][b',
  'a[b]',
  'a&b=c',
  '100%',
  'two words',
  'new\nline',
  'dial_Color',
  '😀',
  'لون',
  '\u0000',
  '*',
  '|',
]
export const knownKeys: readonly string[] = [...tameKeys, ...hostileKeys]

const plainValues = [
  'Black',
  'black',
  ' BLACK\t',
  'Blue-gray',
  'blue-grey',
  'Automatic',
  'self-winding',
  'Date',
]
const depths = [
  '100 m',
  '10 bar',
  '330 ft',
  '10 ATM',
  100,
  '100',
  '100.0',
  '300 m / 1000 ft',
  'approx. 100 m',
]
const lengths = [
  42,
  '42',
  '42.0',
  '42 mm',
  '4.2 cm',
  '42,0 mm',
  39.5,
  '39.5',
  '3 days',
  '72 h',
  '28,800 vph',
  '4 Hz',
]
const numbers = [
  0,
  -0,
  '0',
  '-0',
  1e21,
  '1e21',
  '1e+21',
  0.1,
  '0.1',
  0.30000000000000004,
  -5,
  '-5',
  1e-7,
  5e-324,
  7,
]
const codes = ['007', '12345678901234567890', 12345678901234567000, '1,000', '1e5', 'Infinity', 'NaN', 'null']
const booleans = [true, false, 'true', 'FALSE']
const letters = [
  'ß',
  'SS',
  'ẞ',
  'İ',
  'ı',
  'ﬁ',
  'fi',
  'Ⅳ',
  'é',
  'e\u0301',
  'ς',
  'Σ',
  'ǰ',
  '\u0345',
  '가',
  '각',
  'Ωmega',
]
const odd = [
  '',
  ' ',
  '\u00a0',
  '😀',
  'مرحبا',
  'a[b]',
  '100%',
  'a&b=c',
  '\u0000',
  'x\ny',
  '%00',
  '+',
  ',',
  '#',
  '\ufeffx',
]
const words = [
  'Mother of pearl',
  'MOP',
  'mother-of-pearl',
  'red green',
  'green red',
  'w*',
  'Red',
  'x'.repeat(512),
]
/** Values that most watches have. */
export const commonValues: readonly (string | number)[] = [...plainValues, ...depths, ...lengths]
export const knownValues: readonly (string | number | boolean)[] = [
  ...commonValues,
  ...numbers,
  ...codes,
  ...booleans,
  ...letters,
  ...odd,
  ...words,
]
