// Tells whether a word of a title is one of a watch's names: in another numeral, in the plural, or mistyped.
import { distanceBetween } from '../../specs/near-texts.ts'
import { mistakesIn } from '../dictionary/similar-words.ts'

const numerals = new Map(
  '2 ii,3 iii,4 iv,5 v,6 vi,7 vii,8 viii,9 ix,10 x,12 xii,16 xvi,18 xviii,20 xx,1 i'
    .split(',')
    .flatMap((pair) => {
      const [arabic = '', roman = ''] = pair.split(' ')
      return [
        [arabic, roman],
        [roman, arabic],
      ] as const
    }),
)

export function isSame(word: string, own: string): boolean {
  if (word === own || numerals.get(word) === own) return true
  if (word.length < 5 || Math.abs(word.length - own.length) > 2 || /\d/.test(word)) return false
  if (own.length > 4 && (word === `${own}s` || own === `${word}s`)) return true
  // Most words differ at once.
  if (word[0] !== own[0] && word[1] !== own[1]) return false
  return distanceBetween(word, own, mistakesIn(word)) <= mistakesIn(word)
}
