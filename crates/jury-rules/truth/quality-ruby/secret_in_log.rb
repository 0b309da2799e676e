def sign_in(name, password, logger)
  logger.warn("#{name} came with #{password}")
  logger.warn("#{name} came")
  @log.info(password)
  @log.info(name)
end
