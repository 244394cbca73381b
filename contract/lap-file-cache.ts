/** Where browser and service worker keep lap files that are not uploaded yet: each is a response in the browser's cache. */
export const LAP_FILE_CACHE = {
  name: 'lap-files',
  folder: '/lap-files-of-this-browser/',
  headers: {
    /** The id of the user who chose the file; empty for one that another app has shared. */
    owner: 'x-owner',
    name: 'x-name',
    lastModified: 'x-last-modified',
    keptAt: 'x-kept-at',
    /** By which the server knows a file that it has analysed; missing before. */
    token: 'x-token',
  },
} as const;
