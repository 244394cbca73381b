/** Limits that the server enforces and the client checks before it sends anything. */
export const LIMITS = {
  lapFileBytesMax: 128 * 1024 * 1024,
  lapFilesPerUploadMax: 20,
  /** The size of one part of a lap file that is sent in parts. */
  pendingPartBytesMax: 4 * 1024 * 1024,
  /** Every part but the last has this size at least, because each part is a file of its own in the storage. */
  pendingPartBytesMin: 256 * 1024,
  fileNameCharactersMax: 255,
  /** A day of the shortest laps has fewer; a file with more is not a recording of driving. */
  lapsPerSessionMax: 5_000,
  imageBytesMax: 26_214_400,
  libraryFileBytesMax: 64 * 1024 * 1024,
  /** The limit for the JSON body of an import of tracks or of cars. */
  importBytesMax: 64 * 1024 * 1024,
  importedCarsMax: 200_000,
  /** The tracks that the library, one file or one import may hold. */
  tracksMax: 20_000,
  tracksPerPageMax: 200,
  /** The limit for any name of a track or a car. */
  nameCharactersMax: 200,
  /** The longest circuit has this many points at a spacing of ten metres. */
  outlinePointsMax: 6_000,
  sectorsMax: 50,
  refusedFilesPerDayMax: 5,
  /** A refused file is deleted after so many days. */
  refusedFileDays: 90,
  trackProposalsPerDayMax: 5,
  nearbyTracksMax: 20,
  /** The courses that all sets together may hold, and that an analysis names. */
  coursesMax: 20_000,
  suggestedCoursesMax: 5,
  trackSetRequestsPerDayMax: 3,
  proposedSectorsMax: 9,
  /** The length of the JSON of a proposed track: two lines, nine sector lines and four names. */
  trackProposalCharactersMax: 10_000,
  videosPerSessionMax: 20,
  /** Two days; a chaptered recording is shorter. */
  videoSecondsMax: 172_800,
  /** Ten minutes of a camera with 18 positions a second; a lap is shorter. */
  cameraPositionsMax: 12_000,
  savedComparisonsMax: 200,
  comparisonNameCharactersMax: 80,
  cornersMax: 200,
  cornerNameCharactersMax: 40,
  /** The points of `gpsPoints` in the answer to an analysis; enough for a small map. */
  gpsPointsMax: 1_000,
  boardPageEntriesMax: 500,
  /** This is far beyond any board, and an offset plus a page still fits into an integer of the database. */
  boardOffsetMax: 1_000_000_000,
  carsPerGarageMax: 500,
  carSearchCharactersMin: 2,
  carSearchResultsMax: 20,
  similarCarsMax: 5,
  /** The four names of a proposed car, with spaces between them. */
  similarCarsQueryCharactersMax: 330,
  carProposalsPerDayMax: 10,
  /** The limit for any name of a proposed car. */
  proposedNameCharactersMax: 80,
  displayNameCharactersMax: 80,
  nicknameCharactersMax: 60,
  urlCharactersMax: 2_000,
} as const;

/** iPhones save photos as HEIC by default, so the message says how to convert one. */
export const HEIC_MESSAGE = 'This is a HEIC photo, which we cannot read yet. Save it as JPEG and send that.';
