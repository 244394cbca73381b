/** Limits that the server enforces and the client tells before anything is sent. */
export const LIMITS = {
  lapFileBytesMax: 128 * 1024 * 1024,
  lapFilesPerUploadMax: 20,
  /** Photos and avatars. */
  imageBytesMax: 26_214_400,
  /** Points of `gpsPoints` in the answer to an analysis; enough for a drawing. */
  gpsPointsMax: 1_000,
  boardPageEntriesMax: 500,
  carSearchCharactersMin: 2,
  carSearchResultsMax: 20,
  displayNameCharactersMax: 80,
  nicknameCharactersMax: 60,
  urlCharactersMax: 2_000,
} as const;
