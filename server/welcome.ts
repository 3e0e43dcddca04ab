/** What `npm start` prints under the address, so that a newcomer can log in at once. */
export const accountsOfTheDemo = `
Demo shop. Log in with any of these, password: murmur-demo
  reader@murmur.example      Reader monthly, two audiobooks, one half heard
  nell@murmur.example        no membership, one audiobook and two e-books
  shelf@murmur.example       24 books in both formats
  empty@murmur.example       nothing at all
All the others are named in content/demo/accounts.json. Pay with the card 4242 4242 4242 4242, any later
date and any code: no money moves. Stop with Ctrl-C.
`.trimStart()
