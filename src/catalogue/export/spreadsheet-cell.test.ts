// Tests which references of watches are refused because a spreadsheet or a program has converted them.
import { expect, test } from 'vitest'
import { findLostReference } from './spreadsheet-cell.ts'

test.each([
  '1.23E+11',
  '1e+22',
  '1E-05',
  '-5',
  '-1234.5',
  '50%',
  '12.5 %',
  '12:00:00',
  '-12:00:00',
  '30:15:00.5',
  'TRUE',
  'false',
  'WAHR',
  '#REF!',
  '2024-03-01',
  '01. Mai',
])('%s is no reference', (text) => {
  expect(findLostReference(text)).toMatch(/spreadsheet|is true or false/)
})

test.each([
  '1-62-01',
  '126610LN',
  '1E5',
  '5E12-3',
  '12E-34',
  '12:34',
  '5711/1A-010',
  '3-4',
  'MAR1',
  '-A5',
  '100%TI',
  'SAND',
  'TRUE-1',
  'R27056202',
  '310.30.42.50.01.001',
])('%s may be one', (text) => {
  expect(findLostReference(text)).toBeUndefined()
})
