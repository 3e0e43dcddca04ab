import { expect, test } from 'vitest'
import { cataloguePerson } from './people-names.ts'

test('recognises a person in every notation that libraries use', () => {
  const read = (name: string, turned = true) => {
    const person = cataloguePerson(name, turned)
    return person && [person.firstName, person.lastName]
  }
  expect(read('Darwin, Charles, 1809-1882')).toEqual(['Charles', 'Darwin'])
  expect(read('Kennedy, John F. (John Fitzgerald), 1917-1963')).toEqual(['John F.', 'Kennedy'])
  expect(read('Collins, Anthony, active 19th century')).toEqual(['Anthony', 'Collins'])
  expect(read('Smith, Joseph, Jr., 1805-1844')).toEqual(['Joseph', 'Smith Jr.'])
  expect(read('Tolstoy, Leo, graf, 1828-1910')).toEqual(['Leo', 'Tolstoy'])
  expect(read('Homer, 751? BCE-651? BCE')).toEqual(['', 'Homer'])
  expect(read('Library of Congress. Copyright Office')).toEqual(['', 'Library of Congress. Copyright Office'])
  expect(read('Denny Sayers (d. 2015)', false)).toEqual(['Denny', 'Sayers'])
  expect(read('Edda Marlow', false)).toEqual(['Edda', 'Marlow'])
  expect(read('(1950 - 2014)', false)).toBeUndefined()
})
