/** Limits that the server enforces and the client checks before anything is sent. */
export const LIMITS = {
  lapFileBytesMax: 128 * 1024 * 1024,
  lapFilesPerUploadMax: 20,
  /** One part of a lap file that is sent in parts. */
  pendingPartBytesMax: 4 * 1024 * 1024,
  fileNameCharactersMax: 255,
  /** A day of the shortest laps; what has more of them is not a recording of driving. */
  lapsPerSessionMax: 5_000,
  /** Photos and avatars. */
  imageBytesMax: 26_214_400,
  /** A file of tracks or of cars. */
  libraryFileBytesMax: 64 * 1024 * 1024,
  /** The JSON body of an import of tracks or of cars. */
  importBytesMax: 64 * 1024 * 1024,
  /** Cars that one file or import may hold. */
  importedCarsMax: 200_000,
  /** Tracks that the library may hold, and so may one file or import. */
  tracksMax: 20_000,
  tracksPerPageMax: 200,
  /** Any name of a track or a car. */
  nameCharactersMax: 200,
  /** A point every ten metres of the longest circuit there is. */
  outlinePointsMax: 6_000,
  sectorsMax: 50,
  /** Tracks that a driver may propose a day. */
  trackProposalsPerDayMax: 5,
  /** Known tracks that are shown before a driver proposes one. */
  nearbyTracksMax: 20,
  /** Sector lines of a track that a driver proposes. */
  proposedSectorsMax: 9,
  /** The JSON of such a track, in characters: two lines, nine sector lines and four names. */
  trackProposalCharactersMax: 10_000,
  cornersMax: 200,
  cornerNameCharactersMax: 40,
  /** Points of `gpsPoints` in the answer to an analysis; enough for a drawing. */
  gpsPointsMax: 1_000,
  boardPageEntriesMax: 500,
  /** Far beyond any board, and with a page after it still a whole number of the database. */
  boardOffsetMax: 1_000_000_000,
  carsPerGarageMax: 500,
  carSearchCharactersMin: 2,
  carSearchResultsMax: 20,
  /** Shown before a driver proposes a car that the library lacks. */
  similarCarsMax: 5,
  /** The four names of a proposed car, with spaces between. */
  similarCarsQueryCharactersMax: 330,
  carProposalsPerDayMax: 10,
  /** Any name of a proposed car. */
  proposedNameCharactersMax: 80,
  displayNameCharactersMax: 80,
  nicknameCharactersMax: 60,
  urlCharactersMax: 2_000,
} as const;

/** iPhones save photos as HEIC by default, so the message says what to do instead of only refusing. */
export const HEIC_MESSAGE = 'This is a HEIC photo, which we cannot read yet. Save it as JPEG and send that.';
