class Draft < ApplicationRecord
  attribute :opened_at, :datetime, default: Time.now
  attribute :closed_at, :datetime, default: -> { Time.now }

  def publish
    transaction do
      return if published?
      update!(published: true)
    end
  end

  def withdraw
    return unless published?
    transaction { update!(published: false) }
  end

  def check
    errors[:title] << "is too long" if title.size > 80
    errors.add(:title, "is too short") if title.size < 3
  end
end
