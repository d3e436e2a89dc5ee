// Reads the tables that the operator edits, and makes the vocabulary from them.
import type { Config } from '../config.ts'
import { readNicknames } from './nicknames.ts'
import { readSynonyms } from './synonyms.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

export async function readVocabulary({
  synonymsFile,
  nicknamesFile,
}: Pick<Config, 'synonymsFile' | 'nicknamesFile'>): Promise<Vocabulary> {
  return createVocabulary(await readSynonyms(synonymsFile), await readNicknames(nicknamesFile))
}
